"""Just 4 Fun: cards are added up, the sum names the field; four own fields in a row win."""

"""How well the AI plays: duels with other commits and every figure of docs/ai.md, resumable."""

"""How well the AI plays: every figure of docs/ai.md, by games with paired luck."""

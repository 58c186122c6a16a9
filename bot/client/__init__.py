"""Graph Paper on Discord: commands, buttons and forms in, boards and sentences out."""

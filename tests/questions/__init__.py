"""The inventor's questions that no match answers, computed: docs/questions.md says what came of it."""

"""The SQL statements, one module a subject, and the classes that run them within a transaction."""

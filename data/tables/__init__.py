"""The tables, and the column types and SQL constructs that SQLAlchemy lacks."""

"""Runs Alembic's migrations, all steps in the one transaction that `data.upkeep.upgrade` has begun."""

from alembic import context

from data.tables.rows import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    # Alembic believes that SQLite cannot undo a CREATE TABLE. It can, within the transaction that is open here already.
    transactional_ddl=True,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()

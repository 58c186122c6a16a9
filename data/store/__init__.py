"""The one door to the database for the rest of the program: `Store` runs transactions, written with a `Reader` or a
`Transaction`."""

from data.store.reader import Reader
from data.store.store import Store
from data.store.transaction import Transaction

__all__ = ["Reader", "Store", "Transaction"]

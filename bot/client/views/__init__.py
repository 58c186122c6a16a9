"""Messages with buttons, forms and pictures, built afresh for every answer."""

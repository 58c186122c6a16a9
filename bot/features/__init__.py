"""What people can do, one package a feature: handlers, views, words, service and loops stand together."""

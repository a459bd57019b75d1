"""`rcca bench credit`: does credit per token pay, and is it its place that does? (docs/credit.md)"""

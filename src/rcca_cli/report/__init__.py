"""Composer `report`: aligned rollouts as one offline HTML page."""

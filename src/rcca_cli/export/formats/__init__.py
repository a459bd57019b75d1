"""A file for each trainer: `items(groups, options)`, groups of rows -> what is written. The table: `stage.FORMATS`."""

"""Claims as files to take away: exact, safe to open in a spreadsheet, and honest about what is missing."""

from warranty.files.export.claims_file import Arrangement, ClaimsFile, Form, claims_file, file_stem, seal
from warranty.files.export.csv_file import Separator, claims_csv
from warranty.files.export.xlsx_file import claims_xlsx

"""Who may sign in: the accounts in the journal's database, and what an administrator does about them."""

from warranty.accounts.administration import Administration
from warranty.accounts.file import accounts_of_file
from warranty.accounts.known import KnownAccounts
from warranty.accounts.passwords import LONGEST_PASSWORD, account, check_password, hash_password
from warranty.accounts.people import Account, Accounts
from warranty.accounts.refusals import AccountRefused, Refusal

"""Who may sign in: the accounts in the journal's database, and what an administrator does about them."""

from warranty.people.accounts.administration import Administration
from warranty.people.accounts.passwords import LONGEST_PASSWORD, account, check_password, hash_password
from warranty.people.accounts.people import Account, AccountRefused, Accounts, KnownAccounts, Refusal, accounts_of_file

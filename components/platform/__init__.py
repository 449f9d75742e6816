"""All that leans on the inside of Streamlit, its server and the sign-in library; no other room does."""

"""The usual page in Streamlit: data cached, two plotly.express charts, all rows in the table, CSV made on each run."""

import os

import pandas as pd
import plotly.express as px
import streamlit as st

st.set_page_config(page_title="Claims", layout="wide")


@st.cache_data
def load_claims() -> pd.DataFrame:
    return pd.read_parquet(os.environ["CLAIMS_FILE"])


claims = load_claims()
st.title("Claims")
first, last = claims["claim_date"].min().date(), claims["claim_date"].max().date()
picked = st.date_input("Claim date", (first, last), key="dates")
if not isinstance(picked, tuple) or len(picked) != 2:
    st.stop()
start, end = pd.Timestamp(picked[0]), pd.Timestamp(picked[1]) + pd.Timedelta(days=1)
shown = claims[(claims["claim_date"] >= start) & (claims["claim_date"] < end)]

st.write(f"{len(shown)} claims")
weekly = (
    shown.groupby([pd.Grouper(key="claim_date", freq="W"), "status"], observed=True).size().reset_index(name="claims")
)
left, right = st.columns(2)
left.plotly_chart(px.bar(weekly, x="claim_date", y="claims", color="status", title="Claims over time"))
products = shown["product_name"].value_counts().head(10).reset_index()
right.plotly_chart(px.bar(products, x="count", y="product_name", orientation="h", title="Products"))
st.dataframe(shown, hide_index=True)
st.download_button("Download CSV", shown.to_csv(index=False), "claims.csv", "text/csv")

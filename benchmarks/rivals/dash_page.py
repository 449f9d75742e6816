"""The usual page in Dash: ag-grid with all rows in the browser, two plotly.express charts, CSV by the server."""

import os
import sys

import dash_ag_grid as dag
import pandas as pd
import plotly.express as px
from dash import Dash, Input, Output, State, callback, dcc, html

claims = pd.read_parquet(os.environ["CLAIMS_FILE"])
FIRST, LAST = claims["claim_date"].min().date(), claims["claim_date"].max().date()

app = Dash(__name__)
app.layout = html.Div(
    [
        html.H1("Claims"),
        dcc.DatePickerRange(id="dates", start_date=FIRST, end_date=LAST),
        html.Div(id="count"),
        html.Div(
            [dcc.Graph(id="weekly", style={"flex": 1}), dcc.Graph(id="products", style={"flex": 1})],
            style={"display": "flex"},
        ),
        dag.AgGrid(id="table", columnDefs=[{"field": name} for name in claims.columns], style={"height": 400}),
        html.Button("Download CSV", id="csv"),
        dcc.Download(id="download"),
    ]
)


def shown_claims(start: str, end: str) -> pd.DataFrame:
    after, before = pd.Timestamp(start), pd.Timestamp(end) + pd.Timedelta(days=1)
    return claims[(claims["claim_date"] >= after) & (claims["claim_date"] < before)]


@callback(
    Output("count", "children"),
    Output("weekly", "figure"),
    Output("products", "figure"),
    Output("table", "rowData"),
    Input("dates", "start_date"),
    Input("dates", "end_date"),
)
def draw(start: str, end: str) -> tuple[object, ...]:
    shown = shown_claims(start, end)
    weekly = (
        shown.groupby([pd.Grouper(key="claim_date", freq="W"), "status"], observed=True)
        .size()
        .reset_index(name="claims")
    )
    products = shown["product_name"].value_counts().head(10).reset_index()
    return (
        f"{len(shown)} claims",
        px.bar(weekly, x="claim_date", y="claims", color="status", title="Claims over time"),
        px.bar(products, x="count", y="product_name", orientation="h", title="Products"),
        shown.to_dict("records"),
    )


@callback(
    Output("download", "data"),
    Input("csv", "n_clicks"),
    State("dates", "start_date"),
    State("dates", "end_date"),
    prevent_initial_call=True,
)
def take_away(_: int, start: str, end: str) -> object:
    return dcc.send_data_frame(shown_claims(start, end).to_csv, "claims.csv", index=False)


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(sys.argv[1]), debug=False)

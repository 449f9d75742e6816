"""The usual page in Panel: a Tabulator table, two plotly.express charts, CSV by the server."""

import io
import os
import sys

import pandas as pd
import panel as pn
import plotly.express as px

claims = pd.read_parquet(os.environ["CLAIMS_FILE"])
claims["status"] = claims["status"].astype(str)
FIRST, LAST = claims["claim_date"].min().date(), claims["claim_date"].max().date()


def page() -> pn.Column:
    dates = pn.widgets.DateRangePicker(name="Claim date", value=(FIRST, LAST))

    def shown_claims(days: tuple[object, object]) -> pd.DataFrame:
        after, before = pd.Timestamp(days[0]), pd.Timestamp(days[1]) + pd.Timedelta(days=1)
        return claims[(claims["claim_date"] >= after) & (claims["claim_date"] < before)]

    def weekly(days: tuple[object, object]) -> object:
        counts = (
            shown_claims(days)
            .groupby([pd.Grouper(key="claim_date", freq="W"), "status"], observed=True)
            .size()
            .reset_index(name="claims")
        )
        return px.bar(counts, x="claim_date", y="claims", color="status", title="Claims over time")

    def products(days: tuple[object, object]) -> object:
        counts = shown_claims(days)["product_name"].value_counts().head(10).reset_index()
        return px.bar(counts, x="count", y="product_name", orientation="h", title="Products")

    def take_away() -> io.StringIO:
        return io.StringIO(shown_claims(dates.value).to_csv(index=False))

    return pn.Column(
        "# Claims",
        dates,
        pn.bind(lambda days: f"{len(shown_claims(days))} claims", dates),
        pn.Row(pn.pane.Plotly(pn.bind(weekly, dates)), pn.pane.Plotly(pn.bind(products, dates))),
        pn.widgets.Tabulator(
            pn.bind(shown_claims, dates), show_index=False, disabled=True, height=400, pagination=None
        ),
        pn.widgets.FileDownload(callback=take_away, filename="claims.csv", label="Download CSV"),
    )


if __name__ == "__main__":
    pn.extension("plotly", "tabulator")
    pn.serve({"/": page}, port=int(sys.argv[1]), address="127.0.0.1", websocket_origin="*", show=False, title="Claims")

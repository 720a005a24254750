"""Tests of Parquet exports: the SQL query of the documentation, and a second Parquet reader."""

import os
import re
import subprocess
from pathlib import Path

import duckdb
import pandas
import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "tablebases.md"


@pytest.fixture
def parts(tmp_path, monkeypatch):
    program = os.environ.get("GRUNDY")
    if program is None:
        pytest.skip("GRUNDY does not name the program")
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        subprocess.run([program, *arguments], check=True, capture_output=True, timeout=300)

    run("label", "chomp(5, 5, 5)", "--tablebase", "table")
    run("convert", "table", "parts", "--rows", "20")
    run("label", "chomp(5, 5, 5)", "--output", "labels.csv")
    return tmp_path


def test_the_documented_query_runs(parts):
    (question,) = re.findall(r"```sql\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    answer = duckdb.sql(question).df()
    labels = pandas.read_csv(parts / "labels.csv")
    won = labels[labels.outcome == "N"].groupby("grundy").remoteness
    expected = pandas.DataFrame({"positions": won.count(), "moves": won.mean(), "longest": won.max()})
    assert answer.value.tolist() == expected.index.tolist()
    for column in expected:
        assert answer[column].tolist() == expected[column].tolist(), column


def test_pandas_reads_the_same_rows(parts):
    read = pandas.read_parquet(parts / "parts")
    labels = pandas.read_csv(parts / "labels.csv").sort_values("position").reset_index(drop=True)
    assert read["rank"].tolist() == list(range(len(labels)))
    assert len(list((parts / "parts").iterdir())) > 1
    assert read.position.tolist() == labels.position.tolist()
    assert read.outcome.tolist() == labels.outcome.tolist()
    assert read.remoteness.tolist() == labels.remoteness.tolist()
    assert read.value.tolist() == labels.grundy.tolist()
    assert read.infinity.isna().all()

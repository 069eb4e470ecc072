#!/usr/bin/env python3
"""Prints the Grafana dashboard: make_dashboard.py > dashboard.json. The panels are listed here, a line or two each."""

import json

# (title, unit, [(expression, legend), …]); a text alone begins a row.
PANELS = [
    "What clients see",
    ("Requests a second", "reqps", [("sum by (status) (rate(lectern_http_requests_total[$__rate_interval]))", "{{status}}")]),
    ("5xx of all", "percentunit", [('sum(rate(lectern_http_requests_total{status=~"5.."}[$__rate_interval])) '
     '/ sum(rate(lectern_http_requests_total[$__rate_interval]))', "5xx")]),
    ("Time to answer, p99 by route", "s", [("histogram_quantile(0.99, sum by (le, route) "
     "(rate(lectern_http_request_seconds_bucket[$__rate_interval])))", "{{route}}")]),
    ("Open connections", "short", [("sum by (instance) (lectern_http_connections)", "{{instance}}"),
     ("sum(rate(lectern_http_connections_yielded_total[$__rate_interval]))", "closed to make room, a second")]),
    "Speech",
    ("Phases of a synthesis, p50", "s", [("histogram_quantile(0.5, sum by (le, phase) "
     "(rate(lectern_synthesis_phase_seconds_bucket[$__rate_interval])))", "{{phase}}")]),
    ("Waiting for a model thread", "short", [("sum by (instance) (lectern_speech_queued)", "{{instance}}")]),
    ("First bytes of a stream, p50 and p99", "s", [("histogram_quantile(0.5, sum by (le) "
     "(rate(lectern_stream_first_bytes_seconds_bucket[$__rate_interval])))", "p50"), ("histogram_quantile(0.99, sum by (le) "
     "(rate(lectern_stream_first_bytes_seconds_bucket[$__rate_interval])))", "p99")]),
    ("Streams, by how they ended", "short", [("sum by (ended) (rate(lectern_streams_total[$__rate_interval]))", "{{ended}}")]),
    "Engines",
    ("Seconds of work for a second of audio", "short", [("sum by (engine) (rate(lectern_engine_work_ms_total[$__rate_interval])) "
     "/ sum by (engine) (rate(lectern_engine_audio_ms_total[$__rate_interval]))", "{{engine}}")]),
    ("Threads at work", "short", [("sum by (engine) (rate(lectern_engine_work_ms_total[$__rate_interval])) / 1000", "{{engine}}")]),
    ("Work that waits", "s", [("sum by (engine, work) (lectern_engine_waiting_seconds)", "{{engine}} {{work}}")]),
    ("Wait for the first turn, p50 and p99", "s", [("histogram_quantile(0.5, sum by (le, engine) "
     "(rate(lectern_engine_queue_seconds_bucket[$__rate_interval])))", "{{engine}} p50"), ("histogram_quantile(0.99, sum by (le, engine) "
     "(rate(lectern_engine_queue_seconds_bucket[$__rate_interval])))", "{{engine}} p99")]),
    ("Characters said a second", "short", [("sum by (engine) (rate(lectern_engine_characters_total[$__rate_interval]))", "{{engine}}")]),
    ("Requests and chunks a second", "short", [("sum by (engine) (rate(lectern_engine_requests_total[$__rate_interval]))", "{{engine}}")]),
    ("A thread's time for a character", "s", [("max by (engine, instance) (lectern_engine_seconds_a_character)", "{{engine}} {{instance}}")]),
    ("Hanging and unknown", "short", [("sum by (engine) (increase(lectern_engine_timeouts_total[$__rate_interval]))", "{{engine}} given up"),
     ("sum by (engine) (increase(lectern_engine_unknown_symbols_total[$__rate_interval]))", "{{engine}} symbols left out")]),
    ("Backlog of audio by engine", "s", [("max by (engine) (lectern_backlog_engine_audio_seconds)", "{{engine}}")]),
    "Jobs of all processes",
    ("Backlog of audio", "s", [("max(lectern_backlog_audio_seconds)", "audio")]),
    ("Age of the oldest due job", "s", [("max by (kind) (lectern_jobs_oldest_seconds)", "{{kind}}")]),
    ("Jobs by status", "short", [("max by (kind, status) (lectern_jobs)", "{{kind}} {{status}}")]),
    ("Ends of runs a second", "short", [("sum by (kind, outcome) (rate(lectern_jobs_total[$__rate_interval]))",
     "{{kind}} {{outcome}}")]),
    ("Characters converted a second", "short", [("sum(rate(lectern_chunk_characters_total[$__rate_interval]))", "characters"),]),
    ("Audio made a second", "short", [("sum(rate(lectern_chunk_audio_ms_total[$__rate_interval])) / 1000", "chunks"),
     ("sum(rate(lectern_book_audio_ms_total[$__rate_interval])) / 1000", "whole books")]),
    ("Time of a run, p50 and p99", "s", [("histogram_quantile(0.5, sum by (le, kind) "
     "(rate(lectern_job_seconds_bucket[$__rate_interval])))", "{{kind}} p50"), ("histogram_quantile(0.99, sum by (le, kind) "
     "(rate(lectern_job_seconds_bucket[$__rate_interval])))", "{{kind}} p99")]),
    ("Where the time of runs goes", "percentunit", [("sum by (kind, phase) (rate(lectern_job_phase_seconds_sum[$__rate_interval]))",
     "{{kind}} {{phase}}")]),
    ("Expired leases", "short", [("sum(increase(lectern_job_leases_lost_total[$__rate_interval]))", "jobs"),
     ("sum(increase(lectern_webhook_leases_lost_total[$__rate_interval]))", "webhooks")]),
    ("Uploads a second", "short", [("sum by (kind) (rate(lectern_materials_uploaded_total[$__rate_interval]))", "{{kind}}")]),
    "Webhooks",
    ("Attempts a second", "short", [("sum by (environment, outcome) (rate(lectern_webhook_attempts_total[$__rate_interval]))",
     "{{environment}} {{outcome}}")]),
    ("From event to first attempt, p99", "s", [("histogram_quantile(0.99, sum by (le) "
     "(rate(lectern_webhook_delay_seconds_bucket[$__rate_interval])))", "p99")]),
    ("Pending deliveries", "short", [("max by (environment) (lectern_webhook_backlog)", "{{environment}}")]),
    ("Oldest undelivered event", "s", [("max by (environment) (lectern_webhook_oldest_undelivered_seconds)", "{{environment}}")]),
    ("Time of an attempt, p99", "s", [("histogram_quantile(0.99, sum by (le) "
     "(rate(lectern_webhook_attempt_seconds_bucket[$__rate_interval])))", "p99")]),
    "Dependencies",
    ("Operations on objects a second", "short", [("sum by (operation, outcome) "
     "(rate(lectern_storage_operations_total[$__rate_interval]))", "{{operation}} {{outcome}}")]),
    ("Time of an operation on objects, p99", "s", [("histogram_quantile(0.99, sum by (le, operation) "
     "(rate(lectern_storage_operation_seconds_bucket[$__rate_interval])))", "{{operation}}")]),
    ("Missing objects; unknown objects deleted", "short", [("max(lectern_storage_missing_objects)", "missing"),
     ("sum(increase(lectern_storage_orphans_deleted_total[$__rate_interval]))", "deleted")]),
    ("Queue up; notifications received", "short", [("min by (instance) (lectern_queue_up)", "{{instance}} queue"),
     ("min by (instance) (lectern_news_heard)", "{{instance}} PostgreSQL")]),
    ("Messages of the queue a second", "short", [("sum by (kind) (rate(lectern_queue_messages_total[$__rate_interval]))",
     "{{kind}}"), ("sum by (kind) (rate(lectern_queue_replenished_total[$__rate_interval]))", "{{kind}} sent again")]),
    ("Leader", "short", [("max by (instance) (lectern_duties)", "{{instance}}")]),
    "Processes",
    ("Memory", "bytes", [('process_resident_memory_bytes{job=~"(.*/)?lectern"}', "{{instance}}")]),
    ("Up", "short", [('up{job=~"(.*/)?lectern"}', "{{instance}}")]),
]
WIDTH, HEIGHT, COLUMNS = 8, 7, 3


def dashboard():
    source = {"type": "prometheus", "uid": "${source}"}
    panels, x, y = [], 0, 0
    for panel in PANELS:
        common = {"id": len(panels) + 1}
        if isinstance(panel, str):
            y += HEIGHT if x else 0
            x = 0
            panels.append(common | {"type": "row", "title": panel, "collapsed": False, "panels": [],
                                    "gridPos": {"x": 0, "y": y, "w": 24, "h": 1}})
            y += 1
            continue
        title, unit, targets = panel
        panels.append(common | {
            "type": "timeseries",
            "title": title,
            "datasource": source,
            "gridPos": {"x": x * WIDTH, "y": y, "w": WIDTH, "h": HEIGHT},
            "fieldConfig": {"defaults": {"unit": unit, "min": 0, "custom": {"fillOpacity": 10, "showPoints": "never"}},
                            "overrides": []},
            "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi", "sort": "desc"}},
            "targets": [{"refId": chr(ord("A") + at), "datasource": source, "expr": expression, "legendFormat": legend}
                        for at, (expression, legend) in enumerate(targets)],
        })
        x += 1
        if x == COLUMNS:
            x, y = 0, y + HEIGHT
    return {
        "title": "Lectern",
        "uid": "lectern",
        "tags": ["lectern"],
        "schemaVersion": 39,
        "version": 1,
        "editable": True,
        "refresh": "30s",
        "time": {"from": "now-3h", "to": "now"},
        "templating": {"list": [{"name": "source", "label": "Prometheus", "type": "datasource", "query": "prometheus"}]},
        "annotations": {"list": []},
        "panels": panels,
    }


if __name__ == "__main__":
    print(json.dumps(dashboard(), indent=1))

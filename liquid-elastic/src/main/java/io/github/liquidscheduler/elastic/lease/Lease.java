package io.github.liquidscheduler.elastic.lease;

/** The right to lead a job, until it expires; its token is greater than any before. */
public record Lease(String key, String holder, long token) {}

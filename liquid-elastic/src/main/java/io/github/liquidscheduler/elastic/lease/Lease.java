package io.github.liquidscheduler.elastic.lease;

/**
 * The right to lead a job, until it expires. Its token is greater than that of any lease before.
 */
public record Lease(String key, String holder, long token) {}

package io.github.liquidscheduler.elastic.lease;

/**
 * The right to lead a job, until it expires.
 *
 * @param key which job
 * @param holder where the leader is reached
 * @param token greater than that of any lease on this key before
 */
public record Lease(String key, String holder, long token) {}

package io.github.liquidscheduler.placement.eviction;

/**
 * New capacity, for jobs of a rank and all higher ones.
 *
 * @param rank the lowest rank for which it is new
 * @param capacity the additional amounts on each node, or an upper bound
 */
public record Growth(long rank, NodeSet capacity) {}

package io.github.liquidscheduler.placement.eviction;

/**
 * Room that there was not before, for jobs of a rank and all higher ones.
 *
 * @param rank the lowest rank for which it is new
 * @param capacity what there is more on each node, or an upper bound of it
 */
public record Growth(long rank, NodeSet capacity) {}

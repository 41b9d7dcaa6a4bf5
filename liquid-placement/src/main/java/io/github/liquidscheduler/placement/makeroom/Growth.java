package io.github.liquidscheduler.placement.makeroom;

/**
 * Room that there was not before, for jobs of a rank and all higher ones.
 *
 * @param rank the lowest rank for which it is new
 * @param room what there is more on each node, or an upper bound of it
 */
public record Growth(long rank, NodeSet room) {}

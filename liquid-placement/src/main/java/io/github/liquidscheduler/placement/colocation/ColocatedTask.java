package io.github.liquidscheduler.placement.colocation;

/**
 * A GPU that a task of a gang may go on.
 *
 * @param gpu its position in the cluster
 * @param cost what that costs by the rule
 * @param speed the part of its speed alone that the task is expected to keep there
 */
record ColocatedTask(int gpu, double cost, double speed) {}

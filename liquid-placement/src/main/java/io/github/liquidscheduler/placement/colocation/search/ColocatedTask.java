package io.github.liquidscheduler.placement.colocation.search;

/**
 * A GPU that a task of a gang may go on.
 *
 * @param gpu its position in the cluster
 * @param cost its cost by the policy
 * @param speed the speed that the task is expected to retain there
 */
record ColocatedTask(int gpu, double cost, double speed) {}

package io.github.liquidscheduler.lab.reference.gavel;

/** What runs in a round, and the position of the GPU model on which it does. */
record SelectedRun(Combination combination, int model) {}

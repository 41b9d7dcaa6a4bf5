/** Liquid's grouping genetic algorithm, to compare with. */
@NullMarked
package io.github.liquidscheduler.lab.baseline.grouping;

import org.jspecify.annotations.NullMarked;

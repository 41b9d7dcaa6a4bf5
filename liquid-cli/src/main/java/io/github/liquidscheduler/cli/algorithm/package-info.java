/**
 * Placers and batch planners by name: {@link io.github.liquidscheduler.cli.algorithm.Algorithms}.
 */
@NullMarked
package io.github.liquidscheduler.cli.algorithm;

import org.jspecify.annotations.NullMarked;

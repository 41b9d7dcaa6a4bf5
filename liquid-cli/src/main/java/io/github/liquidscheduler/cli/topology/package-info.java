/**
 * The commands about networks; {@link io.github.liquidscheduler.cli.topology.TopologyCommand} holds
 * them.
 */
@NullMarked
package io.github.liquidscheduler.cli.topology;

import org.jspecify.annotations.NullMarked;

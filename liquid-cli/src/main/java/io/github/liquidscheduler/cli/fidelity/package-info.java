/**
 * Our reference simulators against the published ones: {@link
 * io.github.liquidscheduler.cli.fidelity.FidelityCommand} prints both in one table.
 */
@NullMarked
package io.github.liquidscheduler.cli.fidelity;

import org.jspecify.annotations.NullMarked;

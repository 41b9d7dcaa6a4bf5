/**
 * Our reference simulators against the published ones: {@link
 * io.github.liquidscheduler.lab.fidelity.FidelityCommand} prints both in one table.
 */
@NullMarked
package io.github.liquidscheduler.lab.fidelity;

import org.jspecify.annotations.NullMarked;

/**
 * The published simulator of Gavel (Narayanan et al., OSDI 2020), reproduced: jobs train in rounds
 * of six minutes on GPUs of several models, each with a speed of its own. {@link
 * io.github.liquidscheduler.lab.reference.gavel.GavelSimulator} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference.gavel;

import org.jspecify.annotations.NullMarked;

/**
 * Cases of other schedulers, run through this one and graded: {@link
 * io.github.liquidscheduler.lab.conformance.Conformance}.
 */
@NullMarked
package io.github.liquidscheduler.lab.conformance;

import org.jspecify.annotations.NullMarked;

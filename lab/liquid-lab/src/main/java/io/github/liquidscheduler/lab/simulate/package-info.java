/**
 * Published simulators as a command: {@link
 * io.github.liquidscheduler.lab.simulate.ReferenceCommand}.
 */
@NullMarked
package io.github.liquidscheduler.lab.simulate;

import org.jspecify.annotations.NullMarked;

/**
 * Published simulators, reproduced so that their published numbers come out exactly. They are the
 * yardstick of this library's own engine and share nothing with it but traces and metrics. {@link
 * io.github.liquidscheduler.lab.reference.TiresiasSimulator} is the entry.
 */
@NullMarked
package io.github.liquidscheduler.lab.reference;

import org.jspecify.annotations.NullMarked;

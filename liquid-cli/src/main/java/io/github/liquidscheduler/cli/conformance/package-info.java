/** The command that runs the cases of other schedulers. */
@NullMarked
package io.github.liquidscheduler.cli.conformance;

import org.jspecify.annotations.NullMarked;

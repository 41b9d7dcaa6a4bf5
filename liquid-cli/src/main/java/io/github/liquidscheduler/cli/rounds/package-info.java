/** The command for jobs that train in rounds. */
@NullMarked
package io.github.liquidscheduler.cli.rounds;

import org.jspecify.annotations.NullMarked;

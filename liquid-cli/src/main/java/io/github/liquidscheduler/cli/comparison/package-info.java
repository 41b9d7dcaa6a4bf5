/** Shared parts of commands that compare policies: choices of them, parallel runs, the table. */
@NullMarked
package io.github.liquidscheduler.cli.comparison;

import org.jspecify.annotations.NullMarked;

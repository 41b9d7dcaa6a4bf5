/** Outputs of commands: files, which are checked before the work starts, and text for people. */
@NullMarked
package io.github.liquidscheduler.cli.output;

import org.jspecify.annotations.NullMarked;

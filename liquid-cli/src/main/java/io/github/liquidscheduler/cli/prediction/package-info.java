/** The commands that train, evaluate and query the interference models. */
@NullMarked
package io.github.liquidscheduler.cli.interference;

import org.jspecify.annotations.NullMarked;

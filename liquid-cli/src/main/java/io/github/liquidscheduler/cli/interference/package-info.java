/** Commands that train, judge and ask the interference models. */
@NullMarked
package io.github.liquidscheduler.cli.interference;

import org.jspecify.annotations.NullMarked;

/** What the tests of several packages share. */
@NullMarked
package io.github.liquidscheduler.simulator;

import org.jspecify.annotations.NullMarked;

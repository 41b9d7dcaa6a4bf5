/**
 * Rules about the whole project that no compiler checks. They live in this module because it sees
 * all others.
 */
@NullMarked
package io.github.liquidscheduler.architecture;

import org.jspecify.annotations.NullMarked;

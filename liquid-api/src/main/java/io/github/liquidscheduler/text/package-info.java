/**
 * Names and other texts: {@link io.github.liquidscheduler.text.Text} checks that a file can hold
 * them.
 */
@NullMarked
package io.github.liquidscheduler.text;

import org.jspecify.annotations.NullMarked;

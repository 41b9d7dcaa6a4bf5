/**
 * Names and other texts: {@link io.github.liquidscheduler.text.Text} checks that a file can hold
 * them, {@link io.github.liquidscheduler.text.Count} says numbers of things.
 */
@NullMarked
package io.github.liquidscheduler.text;

import org.jspecify.annotations.NullMarked;

/**
 * How to embed Liquid. Every example is run by a test; {@link
 * io.github.liquidscheduler.examples.QuickStart} is the place to begin.
 */
@NullMarked
package io.github.liquidscheduler.examples;

import org.jspecify.annotations.NullMarked;

/**
 * Published experiments, one command each: {@link
 * io.github.liquidscheduler.lab.reproduce.ReproduceCommand}.
 */
@NullMarked
package io.github.liquidscheduler.lab.reproduce;

import org.jspecify.annotations.NullMarked;

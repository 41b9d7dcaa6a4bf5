/** The laboratory's command line: {@link io.github.liquidscheduler.lab.LabCommand}. */
@NullMarked
package io.github.liquidscheduler.lab;

import org.jspecify.annotations.NullMarked;

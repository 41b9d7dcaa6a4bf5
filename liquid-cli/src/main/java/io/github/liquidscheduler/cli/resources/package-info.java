/** The commands that train, judge and use models of resource needs. */
@NullMarked
package io.github.liquidscheduler.cli.resources;

import org.jspecify.annotations.NullMarked;
